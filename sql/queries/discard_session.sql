-- Frees the locks and settings of a session that a pooler keeps for its next client.
-- No parameters. No locks.
discard all
