"""The local server: a REST API over one home, and the page that shows it; extra `server`."""
