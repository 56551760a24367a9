"""Language models: one protocol, two transports, and what makes a transport dependable."""
