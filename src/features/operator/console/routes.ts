import { Type } from 'typebox';
import {
  completeLogIn,
  logInByPassword,
  type PasswordLogIn,
  type PasswordLogInDeps,
} from '#features/accounts/sign-in/sign-in.ts';
import { logActivity } from '#features/messaging/activity/activity.ts';
import { decide } from '#kernel/access/attempts.ts';
import { consoleCookie, isOwnPage } from '#kernel/access/console-cookie.ts';
import type { FreshProof } from '#kernel/access/fresh-proof.ts';
import { SETTING_UP } from '#kernel/access/operator-guard.ts';
import { marksOf } from '#kernel/access/team.ts';
import { fail } from '#kernel/error.ts';
import { codedEnvelope } from '#kernel/http/declare/envelope.ts';
import { named } from '#kernel/http/declare/named.ts';
import {
  endpoints,
  type RequestFacts,
  type Route,
  type UserCaller,
  WithCookie,
} from '#kernel/http/declare/route.ts';
import {
  explained,
  Id,
  IdInput,
  MessageField,
  Nullable,
  oneOfWords,
  stamped,
  Timestamp,
  text,
} from '#kernel/http/declare/schema.ts';
import { secret } from '#kernel/http/declare/secret.ts';
import { TEAM_ROLES } from '#kernel/http/declare/team-mark.ts';
import type { Kernel } from '#kernel/kernel.ts';
import { peopleRoute } from './people-routes.ts';
import { findAtConsole } from './store.ts';

export type ConsoleDeps = PasswordLogInDeps &
  Pick<Kernel, 'consoleSessions'> & {
    readonly freshProof: FreshProof;
    /** The version of the service. */
    readonly version: string;
  };

const endpoint = endpoints(codedEnvelope);

const SignedIn = named('ConsoleLogIn', {
  state: explained(
    oneOfWords(['signed_in', 'second_factor', 'set_up_second_factor']),
    'The next step: none, a code of the second factor, or setting one up before the console opens',
  ),
  user_id: Id,
  methods: Type.Optional(
    explained(Type.Array(Type.String()), 'The second factors of which a code is accepted'),
  ),
});
// The reply sets a cookie that opens the console.
const LogInReply = { 200: stamped({ data: secret(SignedIn) }) };
const METHODS = ['authenticator', 'backup_code'];

const Standing = {
  state: oneOfWords(['signed_in', 'set_up_second_factor']),
  session_until: Timestamp,
  idle_until: explained(Timestamp, 'When it ends without further requests'),
  proved_until: explained(
    Nullable(Timestamp),
    'Until when dangerous actions need no further proof; null where they need one',
  ),
};

/** Beyond the contract: the console is a page of ours, and its log-in a cookie (decisions: the console). */
export const consoleRoutes = (deps: ConsoleDeps): Route[] => [
  ...signInRoutes(deps),
  signOutRoute(deps),
  proveRoute(deps),
  meRoute(deps),
  peopleRoute,
];

const signInRoutes = (deps: ConsoleDeps): Route[] => [
  endpoint('POST /console/session', {
    name: 'console.signIn',
    auth: 'public',
    errors: ['INVALID_CREDENTIALS', 'ACCOUNT_NOT_ACTIVE', 'FORBIDDEN'],
    summary: 'Logs an admin in to the console; the log-in is a cookie.',
    body: Type.Object({ usernameoremail: text(254), password: text(1024) }),
    reply: LogInReply,
    invalid: 'Username or email and password are required',
    fault: 'Login failed',
    async handler({ body, db, request }) {
      requireOwnPage(request);
      const { usernameoremail: name, password } = body;
      const { login, ...opened } = await logInByPassword(
        deps,
        db,
        { key: null, request },
        { name, password },
      );
      if (opened.token !== undefined) return signedIn(deps, { login, ...opened } as PasswordLogIn);
      const { user_id } = login;
      return { data: { state: 'second_factor' as const, user_id, methods: METHODS } };
    },
  }),

  endpoint('POST /console/session/complete', {
    name: 'console.completeSignIn',
    auth: 'public',
    errors: ['401 INVALID_CODE', 'TWO_FACTOR_NOT_ENABLED', 'ACCOUNT_NOT_ACTIVE', 'FORBIDDEN'],
    summary: 'Completes a log-in to the console with a code of the second factor.',
    body: Type.Object({ user_id: IdInput, code: text(32) }),
    reply: LogInReply,
    invalid: 'User ID and code are required',
    fault: 'Login failed',
    async handler({ body, db, request }) {
      requireOwnPage(request);
      return signedIn(deps, await completeLogIn(deps, db, { key: null, request }, body));
    },
  }),
];

/** No other site's page can log its visitor in: the visitor would work in another person's name. */
function requireOwnPage({ headers }: RequestFacts): void {
  if (!isOwnPage(headers))
    throw fail('FORBIDDEN', 'Only the page of the console logs in to it', {
      hint: 'Open /console by HTTPS or on localhost, in a browser that sends Sec-Fetch-Site; its requests carry x-console: 1.',
    });
}

function signedIn({ config }: ConsoleDeps, { login, token, lives_s, method }: PasswordLogIn) {
  const { user_id } = login;
  const data = { state: stateOf(method), user_id };
  return new WithCookie({ data }, consoleCookie(config).set(token, lives_s));
}

const stateOf = (method: string) =>
  method === SETTING_UP ? ('set_up_second_factor' as const) : ('signed_in' as const);

/** Callers with a key have other endpoints for the same. */
function atConsole({ via }: UserCaller): void {
  if (via !== 'console') throw fail('FORBIDDEN', 'This is for the page of the console');
}

const signOutRoute = ({ config, sessions }: ConsoleDeps): Route =>
  endpoint('DELETE /console/session', {
    name: 'console.signOut',
    auth: 'admin',
    console: 'set-up',
    permit: atConsole,
    summary: 'Ends the log-in to the console, and removes its cookie.',
    atomic: true,
    reply: { 200: stamped({ data: MessageField }) },
    fault: 'Failed to end the session',
    async handler({ caller, db, request }) {
      await sessions.end(db, caller.user_id, caller.session_id);
      await logActivity(db, { action: 'CONSOLE_SIGNED_OUT', actor: caller, request });
      return new WithCookie({ data: { message: 'Signed out' } }, consoleCookie(config).removed);
    },
  });

const proveRoute = ({ consoleSessions, freshProof }: ConsoleDeps): Route =>
  endpoint('POST /console/session/prove', {
    name: 'console.prove',
    auth: 'admin',
    permit: atConsole,
    errors: ['INVALID_PASSWORD', 'INVALID_CODE'],
    summary:
      'Proves by password or code that the session’s owner is at the console, for dangerous actions.',
    body: Type.Object({
      password: Type.Optional(text(1024)),
      code: Type.Optional(explained(text(32), 'Of the second factor, in place of the password')),
    }),
    reply: { 200: stamped({ data: Type.Pick(Type.Object(Standing), ['proved_until']) }) },
    fault: 'Failed to prove it',
    async handler({ caller, body: { password, code }, db, request }) {
      if (password === undefined && code === undefined)
        throw fail('VALIDATION_ERROR', 'A password or a code is required');
      const sent = { current_password: password, two_fa_token: code };
      const proof = await freshProof.verify(db, { caller, request }, sent);
      return decide(db, async (tx) => {
        const refusal = await proof(tx);
        if (refusal) return refusal;
        const { proved_until } = await consoleSessions.prove(tx, caller.session_id);
        await logActivity(tx, { action: 'CONSOLE_PROVED', actor: caller, request });
        return { data: { proved_until } };
      });
    },
  });

const meRoute = ({ consoleSessions, version }: ConsoleDeps): Route =>
  endpoint('GET /console/me', {
    name: 'console.me',
    auth: 'admin',
    console: 'set-up',
    permit: atConsole,
    summary: 'The session’s owner, its end, and its latest proof.',
    reply: {
      200: stamped({
        data: Type.Object({
          user: Type.Object({
            user_id: Id,
            client_id: Id,
            username: Type.String(),
            email: Type.String(),
            role: Type.String(),
            second_factor: Type.Boolean(),
          }),
          home: explained(
            oneOfWords(['operator', 'client']),
            'Whose people: the operator’s see all clients',
          ),
          organisation: Type.String(),
          team_role: oneOfWords(TEAM_ROLES),
          may: explained(
            Type.Array(Type.String({ examples: ['payments:read'] })),
            'All that their role opens, as `area:action`: the page offers nothing else',
          ),
          ...Standing,
          version: Type.String(),
        }),
      }),
    },
    fault: 'Failed to read the session',
    async handler({ caller, db }) {
      const found = await findAtConsole(db, caller.user_id);
      const { twofa_enabled, client_alias, ...user } = found;
      const { team_role = 'owner' } = caller;
      const { method, expires_at, ...until } = await consoleSessions.find(db, caller.session_id);
      return {
        data: {
          user: { ...user, second_factor: twofa_enabled },
          home: caller.operator ? ('operator' as const) : ('client' as const),
          organisation: client_alias,
          team_role,
          may: marksOf(team_role),
          state: stateOf(method),
          session_until: expires_at,
          ...until,
          version,
        },
      };
    },
  });
