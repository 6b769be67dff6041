-- Proving who somebody is: from which network and with which API key it was begun, and with whose password.

-- A password that was proven waits for its second factor where it was proven, and nowhere else. Those
-- that wait already live ten minutes at most, and are begun anew.
delete from login_challenges;
alter table login_challenges alter column key_id set not null;
alter table login_challenges add column network text not null;
drop index login_challenges_open;
create index login_challenges_open
  on login_challenges (user_id, key_id, network, created_at desc) where consumed_at is null;

-- The API key somebody logged in with: its application knows them. No foreign key, since ids of keys
-- come only once, and deleting a key should not have to look through all sessions.
alter table sessions add column key_id integer;
create index sessions_by_key on sessions (user_id, key_id, expires_at)
  where key_id is not null and revoked_at is null;
