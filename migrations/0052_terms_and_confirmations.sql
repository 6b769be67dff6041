-- Which terms a user has accepted; null where they had no version then.
alter table users add column tos_version text;

-- A confirmation link that was used is kept until it would have lapsed: a second click is told so.
alter table user_links drop constraint user_links_purpose_check;
alter table user_links add constraint user_links_purpose_check
  check (purpose in ('confirm', 'confirmed', 'tos', 'reset'));
