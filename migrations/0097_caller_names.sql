-- What callers call the things that they make: a reference of their own and metadata. A row belongs to one thing, by the
-- type and id of its events. `client_id` is the client of whoever made it, whose references they are; `kind` is the kind
-- of thing that the endpoint makes. A reference stays in use for ever, also after its thing has failed or is deleted.
create table caller_names (
  object_type text not null,
  object_id   text not null,
  client_id   integer not null references clients,
  -- The person whom the thing belongs to, or who made it.
  user_id     integer references users,
  kind        text not null,
  reference   text collate "C",
  metadata    jsonb not null default '{}',
  -- Counts the changes of the metadata.
  version     integer not null default 1,
  created_at  timestamptz not null,
  constraint caller_names_pkey primary key (object_type, object_id),
  constraint caller_names_reference unique (client_id, kind, reference)
);
-- Lists are narrowed to a reference within one kind of thing, whoever made it.
create index caller_names_by_reference on caller_names (reference, object_type) where reference is not null;
create index caller_names_of_user on caller_names (user_id) where user_id is not null;
