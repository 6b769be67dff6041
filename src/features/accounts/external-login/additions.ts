import type { CredentialAdditions } from '#kernel/access/additions.ts';
import { emitIdentities } from './events.ts';
import { deleteMappings, listMappings, lockIdentity, type Mapping, makePrimary } from './store.ts';

/** External log-ins and wallets, except the one that the account was created with. */
export const externalAdditions = (): CredentialAdditions => ({
  async lock(tx, user_id) {
    const mappings = await listMappings(tx, user_id);
    const accounts = new Set(mappings.map(({ ext_user_id }) => ext_user_id));
    // In one order, so that two transactions that lock several never deadlock.
    for (const ext_user_id of [...accounts].sort()) await lockIdentity(tx, ext_user_id);
  },
  async list(db, user_id, since) {
    const added = addedAfter(await listMappings(db, user_id), since);
    return added.reverse().map(({ auth_provider, wallet_address, connected_at }) => ({
      what: {
        en: `log-in with ${wallet_address ?? auth_provider}`,
        id: `cara masuk dengan ${wallet_address ?? auth_provider}`,
      },
      at: connected_at,
    }));
  },
  async undo(tx, user_id, since) {
    const mappings = await listMappings(tx, user_id);
    const added = new Set(addedAfter(mappings, since).map(({ id }) => id));
    if (added.size === 0) return 0;
    await deleteMappings(tx, user_id, [...added]);
    const gone = mappings.filter(({ id }) => added.has(id));
    await emitIdentities(tx, 'unlinked', gone);
    const left = mappings.filter(({ id }) => !added.has(id));
    const [heir] = left;
    if (heir && !left.some(({ is_primary }) => is_primary)) await makePrimary(tx, heir.id);
    return added.size;
  },
});

const addedAfter = (mappings: readonly Mapping[], since: string | null): Mapping[] =>
  mappings.filter(
    ({ by_registration, connected_at }) =>
      !by_registration && (since === null || connected_at > since),
  );
