-- Batches that are made of files (docs/design/banking.md, 94).
alter table batches
  add column file_id uuid references files (file_id),
  -- MsgId, PmtInfId and name of a pain.001: each is taken once for a client.
  add column import_key text check (length(import_key) between 3 and 200);
create unique index batches_by_import on batches (client_id, (split_part(import_key, E'\n', 1)), (split_part(import_key, E'\n', 2)))
  where import_key is not null;
create index batches_of_file on batches (file_id) where file_id is not null;
