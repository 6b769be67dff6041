import { defineObject } from '#kernel/events/define-object.ts';
import { objectId } from '#kernel/object-id.ts';
import { PasskeyData, passkeyData } from './shapes.ts';
import type { PasskeyRow } from './store.ts';

const passkeys = defineObject<PasskeyRow, typeof PasskeyData>({
  schema: PasskeyData,
  since: '2026-11',
  example: {
    user_id: 3,
    passkey_id: 'pky_06f4t3xet5c77bsdh7wedf8g8s',
    name: 'Ada’s laptop',
    created_at: '2026-11-28T03:00:58.447Z',
    last_used_at: null,
    is_synced: true,
  },
  key: ({ client_id, user_id, passkey_id }) => ({
    client_id,
    user_id,
    id: objectId('pky', passkey_id),
  }),
  show: passkeyData,
}).events('passkey', {
  added: 'A user has added a passkey',
  removed: 'A passkey logs its user in no more',
});

export const PASSKEY_EVENTS = passkeys.types;
export const emitPasskey = passkeys.emit;
