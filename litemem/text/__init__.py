"""Pure functions over text: no file, no database, no clock."""
