-- Mints that were begun and not finished are looked for every minute, beside any number of burns that
-- nobody has asked to be minted.
create index crosschain_minting on crosschain_transfers (mint_started_at)
  where status = 'BURNED' and mint_started_at is not null;
