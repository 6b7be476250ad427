"""Everything that is known of Chinese."""
