"""`python -m search_sim` is the command `worldgen`."""

from search_sim.cli import main

if __name__ == "__main__":
    main(prog_name="worldgen")
