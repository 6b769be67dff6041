-- A request that a provider did not take is repeated under its key, as another object: it has the same operation, and
-- takes the names over.
alter table caller_names add column operation text;
