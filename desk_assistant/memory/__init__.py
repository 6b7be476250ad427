"""Long-term memory in three layers: working, episodic, semantic. `service.Memory` is the face the rest talks to."""
