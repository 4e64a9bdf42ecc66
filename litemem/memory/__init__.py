"""Facts, blocks and recall over one home folder."""
