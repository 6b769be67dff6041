import { Type } from 'typebox';
import { type Requester, requesterOf } from '#kernel/access/requester.ts';
import type { Db } from '#kernel/db/db.ts';
import { flatEnvelope } from '#kernel/http/declare/envelope.ts';
import { named } from '#kernel/http/declare/named.ts';
import { endpoints, type Route } from '#kernel/http/declare/route.ts';
import {
  Email,
  explained,
  flat,
  Id,
  IdInput,
  Success,
  TextOrNull,
  text,
} from '#kernel/http/declare/schema.ts';
import { secret } from '#kernel/http/declare/secret.ts';
import type { Job } from '#kernel/jobs/job.ts';
import type { Kernel } from '#kernel/kernel.ts';
import { languageNow } from '#kernel/localised.ts';
import { completeLogIn, logInByPassword, type PasswordLogInDeps } from './log-in.ts';
import { type ResetDeps, type ResetRequest, resetPassword } from './reset-password.ts';
import type { Login } from './store.ts';

export type SignInDeps = PasswordLogInDeps & ResetDeps & Pick<Kernel, 'jobs'>;
type Deps = SignInDeps & { readonly resetLinks: Job<ResetRequest> };

const endpoint = endpoints(flatEnvelope);

export const PASSWORD_MIN = 8;
const Password = text(1024);

const LoggedIn = named('LoggedIn', {
  success: Success,
  message: Type.String(),
  requires_2fa: Type.Literal(false),
  data: Type.Object({
    token: secret(Type.String()),
    user: Type.Object({
      user_id: Id,
      email: Type.String(),
      role: Type.String(),
      username: Type.String(),
      phone: TextOrNull,
      ekyc_status: Type.String(),
    }),
    client: Type.Object({
      client_id: Id,
      client_type: Type.String(),
      client_status: Type.String(),
      ekyc_status: Type.String(),
      ekyb_status: Type.String(),
    }),
    password_change_required: Type.Optional(
      explained(Type.Boolean(), 'Only where the password is a temporary one, which we mailed'),
    ),
    tos_acceptance_required: Type.Optional(
      explained(
        Type.Boolean(),
        'Only where the terms of service have a version that the user has not accepted: show them ' +
          'the link of GET /users/{user_id}/tos-acceptance-link',
      ),
    ),
  }),
});
const CodeNeeded = named('CodeNeeded', {
  success: Success,
  message: Type.String(),
  requires_2fa: Type.Literal(true),
  data: Type.Object({ user_id: Id, email: Type.String() }),
});
const MessageReply = flat({ message: Type.String() });

/** Contract part 1, Login and password reset. */
export const signInRoutes = (deps: Deps): Route[] => [...logInRoutes(deps), ...resetRoutes(deps)];

const logInRoutes = (deps: Deps): Route[] => [
  endpoint('POST /auth/login', {
    name: 'auth.logIn',
    auth: 'key',
    errors: ['INVALID_CREDENTIALS', 'ACCOUNT_NOT_ACTIVE'],
    summary: 'Logs in with a password; with a second factor enabled, this is the first step.',
    body: Type.Object({ usernameoremail: text(254), password: Password }),
    reply: { 200: Type.Union([LoggedIn, CodeNeeded]) },
    invalid: 'Username or email and password are required',
    fault: 'Login failed',
    async handler({ caller, body, db, request }) {
      const entering = { key: caller.key, request };
      const { usernameoremail: name, password } = body;
      const done = await logInByPassword(deps, db, entering, { name, password });
      const { user_id, email } = done.login;
      if (done.token !== undefined) return present(deps, done.login, done.token);
      return {
        message: 'Two-factor authentication code required',
        requires_2fa: true as const,
        data: { user_id, email },
      };
    },
  }),

  endpoint('POST /auth/complete-login', {
    name: 'auth.completeLogIn',
    auth: 'key',
    errors: ['USER_NOT_FOUND', 'TWO_FACTOR_NOT_ENABLED', '401 INVALID_CODE', 'ACCOUNT_NOT_ACTIVE'],
    summary: 'Completes a log-in with a code of the authenticator app or a backup code.',
    body: Type.Object({ user_id: IdInput, two_fa_token: text(32) }),
    reply: { 200: LoggedIn },
    invalid: 'User ID and 2FA token are required',
    fault: 'Login failed',
    async handler({ caller, body, db, request }) {
      const entering = { key: caller.key, request };
      const { user_id, two_fa_token: code } = body;
      const { login, token } = await completeLogIn(deps, db, entering, { user_id, code });
      return present(deps, login, token);
    },
  }),
];

const MAILED_LINK = {
  body: Type.Object({ email: Email }),
  reply: { 200: MessageReply },
  atomic: true,
  invalid: 'Email is required',
  fault: 'Failed to request password reset',
} as const;

const resetRoutes = (deps: Deps): Route[] => [
  endpoint('POST /password/request_reset', {
    name: 'password.requestReset',
    auth: 'key',
    summary: 'Sends a link to set a new password if the e-mail is known; answers the same if not.',
    ...MAILED_LINK,
    handler: ({ caller, body, db, request }) =>
      requestReset(deps, db, body.email, requesterOf(caller, request)),
  }),

  endpoint('POST /password/forgotten', {
    name: 'password.requestWithoutKey',
    auth: 'public',
    summary: 'The same for the page at `/forgotten-password`, which has no key',
    ...MAILED_LINK,
    handler: ({ caller, body, db, request }) =>
      requestReset(deps, db, body.email, requesterOf(caller, request)),
  }),

  endpoint('POST /password/reset', {
    name: 'password.reset',
    auth: 'public',
    errors: ['INVALID_TOKEN', 'LINK_EXPIRED'],
    summary: 'Sets a new password with the token of a reset link; every session ends.',
    body: Type.Object({
      token: text(200),
      new_password: text(1024, PASSWORD_MIN),
      undo: Type.Optional(
        explained(
          Type.Boolean(),
          'Removes what was added since the last reset: log-ins, second factor, API keys',
        ),
      ),
    }),
    reply: { 200: MessageReply },
    invalid: `Token and a new password of at least ${PASSWORD_MIN} characters are required`,
    fault: 'Failed to reset password',
    async handler({ body, db, request }) {
      const { token, new_password: password, undo = false } = body;
      const undone = await resetPassword(deps, db, { token, password, undo }, request);
      const message = 'Password has been reset. You can log in with it now.';
      return { message: undone > 0 ? `${message} What was added was removed.` : message };
    },
  }),
];

/** The answer does not show whether there is such a user. */
async function requestReset(deps: Deps, db: Db, email: string, by: Requester) {
  await deps.jobs.enqueue(
    db,
    deps.resetLinks,
    { email, by, language: languageNow() },
    { key: email.toLowerCase() },
  );
  return { message: 'If the email is registered, a password reset link has been sent' };
}

function present(
  { config }: Pick<Kernel, 'config'>,
  { client, temporary, tos_version, ...login }: Login,
  token: string,
) {
  const { user_id, email, role, username, phone, verification } = login;
  const user = { user_id, email, role, username, phone, ekyc_status: verification };
  return {
    message: 'Login successful',
    requires_2fa: false as const,
    data: {
      token,
      user,
      client,
      ...(temporary && { password_change_required: true }),
      ...(config.TOS_VERSION !== undefined &&
        config.TOS_VERSION !== tos_version && { tos_acceptance_required: true }),
    },
  };
}
