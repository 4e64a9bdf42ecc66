"""What a conversation turn says that is worth remembering: rules, and a model's answer checked."""
