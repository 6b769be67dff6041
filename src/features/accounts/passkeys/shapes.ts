import { type Static, Type } from 'typebox';
import { named } from '#kernel/http/declare/named.ts';
import { objectIdField } from '#kernel/http/declare/object-id-field.ts';
import {
  explained,
  Id,
  Json,
  Nullable,
  nameInput,
  Timestamp,
  text,
} from '#kernel/http/declare/schema.ts';
import { objectId } from '#kernel/object-id.ts';
import type { PasskeyRow } from './store.ts';

export const PasskeyName = nameInput(60);

/** An authenticator's answer. Its parts are base64url and are read by the library. */
export const PasskeyResponseInput = named('PasskeyResponse', {
  id: text(1400),
  rawId: text(1400),
  type: Type.Literal('public-key'),
  response: explained(
    Type.Record(Type.String(), Json),
    'As `toJSON()` of the browser’s credential writes it',
  ),
  clientExtensionResults: Type.Optional(Type.Record(Type.String(), Json)),
  authenticatorAttachment: Type.Optional(Nullable(text(40))),
});

const PASSKEY = {
  passkey_id: objectIdField('pky'),
  name: Type.String(),
  created_at: Timestamp,
  last_used_at: Nullable(Timestamp),
  is_synced: explained(Type.Boolean(), 'Whether it is on several devices of its owner'),
};

export const ShownPasskey = named('Passkey', PASSKEY);
export const PasskeyData = named('PasskeyEventData', { user_id: Id, ...PASSKEY });

export const shownPasskey = (row: PasskeyRow): Static<typeof ShownPasskey> => ({
  passkey_id: objectId('pky', row.passkey_id),
  name: row.name,
  created_at: row.created_at,
  last_used_at: row.last_used_at,
  is_synced: row.is_synced,
});

export const passkeyData = (row: PasskeyRow): Static<typeof PasskeyData> => ({
  user_id: row.user_id,
  ...shownPasskey(row),
});
