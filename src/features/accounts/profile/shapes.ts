import { type Static, Type } from 'typebox';
import { named } from '#kernel/http/declare/named.ts';
import {
  explained,
  Id,
  Nullable,
  oneOfWords,
  TextOrNull,
  Timestamp,
} from '#kernel/http/declare/schema.ts';
import { InTheWay } from './closing/emptiness.ts';
import type { OwnProfile } from './store.ts';

export const Locale = oneOfWords(['en', 'id']);

export const PendingEmail = Type.Object({ new_email: Type.String(), expires_at: Timestamp });

const ShownClosing = Type.Object({
  erases_at: Timestamp,
  items: explained(Type.Array(InTheWay), 'What was in the way when the time had come'),
});

export const ShownProfile = named('Profile', {
  user_id: Id,
  username: Type.String(),
  email: Type.String(),
  phone: TextOrNull,
  first_name: TextOrNull,
  last_name: TextOrNull,
  is_verified: explained(Type.Boolean(), 'The identity is verified: the names stay'),
  locale: Nullable(Locale),
  time_zone: TextOrNull,
  preferences: Type.Object({
    email: Type.Boolean(),
    sms: Type.Boolean(),
    push: Type.Boolean(),
  }),
  pending_change: Nullable(PendingEmail),
  closing: explained(Nullable(ShownClosing), 'Where the account is being closed'),
  version: Type.Integer(),
  created_at: Timestamp,
  updated_at: Timestamp,
});

export const shownProfile = (row: OwnProfile): Static<typeof ShownProfile> => ({
  user_id: row.user_id,
  username: row.username,
  email: row.email,
  phone: row.phone,
  first_name: row.first_name,
  last_name: row.last_name,
  is_verified: row.is_verified,
  locale: row.locale,
  time_zone: row.time_zone,
  preferences: { email: row.prefers_email, sms: row.prefers_sms, push: row.prefers_push },
  pending_change:
    row.pending_email === null || row.pending_until === null
      ? null
      : { new_email: row.pending_email, expires_at: row.pending_until },
  closing:
    row.erases_at === null
      ? null
      : { erases_at: row.erases_at, items: (row.closing_items ?? []) as InTheWay[] },
  version: row.version,
  created_at: row.created,
  updated_at:
    row.changed_at !== null && row.changed_at > row.updated ? row.changed_at : row.updated,
});
