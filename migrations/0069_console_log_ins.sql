-- Log-ins to the operator's console (docs/decisions/0069): when one was last seen at work, since it ends when nobody is
-- at it, and when its holder last proved to be more than that. Log-ins of applications have neither.
alter table sessions add column seen_at timestamptz, add column proved_at timestamptz;

-- A log-in to the console that waits for its second factor was begun with no API key; nobody completes it with one.
alter table login_challenges alter column key_id drop not null;
