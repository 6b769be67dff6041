-- The version of the API that a key was made for, and is answered by unless a request names another. Keys from before
-- were made for the first one, as are those of a process that does not know of versions yet.
alter table api_keys add column api_version text not null default '2026-11-22'
  constraint api_keys_version check (api_version ~ '^\d{4}-\d\d-\d\d$');
