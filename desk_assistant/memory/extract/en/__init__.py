"""Everything that is known of English."""
