"""Memory as a server of the Model Context Protocol: tools, resources and a prompt of one user."""
