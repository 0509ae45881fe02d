"""What summaries keep, measured."""
