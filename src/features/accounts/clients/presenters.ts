import { type TProperties, Type } from 'typebox';
import { Id, Nullable } from '#kernel/http/declare/schema.ts';

export const CLIENT = {
  client_id: Id,
  client_code: Type.String(),
  email: Type.String(),
  client_alias: Type.String(),
  client_type: Type.String(),
  client_status: Type.String(),
  ekyc_status: Type.String(),
  country_code: Type.String(),
  psp_id: Nullable(Id),
  phone: Type.String(),
  time_zone: Type.String(),
} satisfies TProperties;
