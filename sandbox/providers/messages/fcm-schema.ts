import { type Static, Type } from 'typebox';

/**
 * What `POST /v1/projects/{project}/messages:send` takes, by Google's reference alone
 * (firebase.google.com/docs/reference/fcm/rest/v1/projects.messages). What it does not name is left out.
 */
export const FcmRequest = Type.Object({
  validate_only: Type.Optional(Type.Boolean()),
  message: Type.Object({
    token: Type.Optional(Type.String({ minLength: 1 })),
    topic: Type.Optional(Type.String({ minLength: 1 })),
    condition: Type.Optional(Type.String({ minLength: 1 })),
    notification: Type.Optional(
      Type.Object({ title: Type.Optional(Type.String()), body: Type.Optional(Type.String()) }),
    ),
    data: Type.Optional(Type.Record(Type.String(), Type.String())),
    android: Type.Optional(Type.Object({ collapse_key: Type.Optional(Type.String()) })),
  }),
});
export type FcmRequest = Static<typeof FcmRequest>;
