import { type TProperties, Type } from 'typebox';
import { named } from '#kernel/http/declare/named.ts';
import { explained, Id, TextOrNull, Timestamp } from '#kernel/http/declare/schema.ts';

const SUMMARY = {
  user_id: Id,
  email: Type.String(),
  username: Type.String(),
  role: Type.String(),
  phone: TextOrNull,
  user_status: Type.String(),
  ekyc_status: Type.String(),
} satisfies TProperties;

export const User = named('User', {
  ...SUMMARY,
  client_id: Id,
  created: Timestamp,
  updated: Timestamp,
  is_wishlist: Type.Boolean(),
  tos_accepted_at: TextOrNull,
  tos_version: explained(TextOrNull, 'Which terms of service the user has accepted'),
  confirmed_at: TextOrNull,
  ekyc_verified_at: TextOrNull,
  ekyc_provider: TextOrNull,
  ekyc_applicant_id: TextOrNull,
  ekyb_status: Type.String(),
  ekyb_verified_at: TextOrNull,
  ekyb_applicant_id: TextOrNull,
  social_username: TextOrNull,
  social_verified: Type.Boolean(),
  twofa_enabled: Type.Boolean(),
  public_key: TextOrNull,
  profile_picture: TextOrNull,
  psp_id: TextOrNull,
  client_alias: Type.String(),
  client_type: Type.String(),
  client_status: Type.String(),
  country_code: Type.String(),
  client_code: Type.String(),
  user: Type.Object(SUMMARY),
});

/** A user with the user in it again, as the contract nests it. */
export const shownUser = <U extends object>(user: U) => ({ ...user, user });
