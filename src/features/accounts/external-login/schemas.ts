import { Type } from 'typebox';
import { PendingChangeReply } from '#features/accounts/pending-changes/pending-changes.ts';
import { PROOF } from '#kernel/access/fresh-proof.ts';
import { named } from '#kernel/http/declare/named.ts';
import {
  explained,
  Id,
  IdInput,
  Nullable,
  oneOfWords,
  Success,
  stamped,
  TextOrNull,
  Timestamp,
  text,
} from '#kernel/http/declare/schema.ts';
import { secret } from '#kernel/http/declare/secret.ts';
import { CONFIRMATION } from './prove.ts';

const described = { message: Type.String() };
const Words = Type.Array(Type.String());

/** The provider decides how long a token may be, within the limit of bodies. */
const ExtToken = Type.String({
  minLength: 1,
  pattern: '\\S',
  description: "The external provider's token",
});
const OtherUser = Type.Optional(explained(IdInput, 'Another user, whom only admins may name'));

export const LogInBody = Type.Object({
  ext_token: Type.Optional(
    explained(ExtToken, "The external provider's token; may come in `Authorization` instead"),
  ),
});
export const LinkBody = Type.Object({ ext_token: ExtToken, user_id: OtherUser, ...PROOF });
export const LinkWalletBody = Type.Object({
  ext_token: ExtToken,
  wallet_address: Type.Optional(
    explained(text(128), 'One of the wallets that the token proves; without it the first'),
  ),
  user_id: OtherUser,
  ...PROOF,
});
export const DisconnectBody = Type.Object({
  ext_user_id: text(255),
  confirmation: Type.Literal(CONFIRMATION),
  user_id: OtherUser,
});
export const ProfileQuery = Type.Object({ user_id: OtherUser });

const User = named('ExternalUser', {
  user_id: Id,
  username: Type.String(),
  email: Type.String(),
  role: Type.String(),
  user_status: Type.String(),
  created: Timestamp,
});
const Auth = named('ExternalAuth', {
  method: Type.String(),
  ext_user_id: Type.String(),
  verified_at: Timestamp,
  is_new_user: Type.Boolean(),
});

export const LoggedInReply = stamped({
  ...described,
  requires_2fa: Type.Boolean(),
  data: Type.Object({
    user: User,
    auth: Auth,
    /** A second factor that is enabled needs both. */
    session: Type.Optional(
      Type.Object({
        user_id: Id,
        username: Type.String(),
        email: Type.String(),
        role: Type.String(),
        auth_method: Type.String(),
        ext_user_id: Type.String(),
        verified_at: Timestamp,
      }),
    ),
    token: Type.Optional(secret(Type.String())),
  }),
});

export const LinkedReply = stamped({
  ...described,
  data: Type.Object({
    user: User,
    ext_mapping: Type.Object({
      id: Id,
      ext_user_id: Type.String(),
      auth_provider: Type.String(),
      wallet_address: TextOrNull,
      is_primary: Type.Boolean(),
      created_at: Timestamp,
    }),
  }),
  message_detail: Type.String(),
});

export const WalletLinkedReply = stamped({
  ...described,
  data: Type.Object({
    user_id: Id,
    wallet_address: Type.String(),
    ext_user_id: Type.String(),
    auth_provider: Type.Literal('wallet'),
    linked_at: Timestamp,
  }),
  instructions: Words,
});

/** A link by an admin for another user, out of mock mode. */
export const ProposedReply = stamped({
  ...described,
  data: Type.Object({ user: User, pending_change: PendingChangeReply }),
});

export const ProfileReply = stamped({
  ...described,
  data: named('ExternalProfile', {
    user_id: Id,
    total_connected_accounts: Type.Integer(),
    connected_accounts: Type.Array(
      named('ConnectedAccount', {
        id: Id,
        ext_user_id: Type.String(),
        provider: Type.String(),
        auth_provider: Type.String(),
        wallet_address: TextOrNull,
        is_primary: Type.Boolean(),
        connected_at: Timestamp,
        last_used: Timestamp,
        status: oneOfWords(['primary', 'secondary'] as const),
      }),
    ),
    primary_auth: Nullable(Type.Object({ provider: Type.String(), connected_at: Timestamp })),
  }),
  security_info: Type.Object({
    has_multiple_methods: Type.Boolean(),
    can_remove_accounts: Type.Boolean(),
  }),
});

export const DisconnectedReply = stamped({
  ...described,
  data: Type.Object({
    user_id: Id,
    disconnected_provider: Type.String(),
    ext_user_id: Type.String(),
    disconnected_at: Timestamp,
  }),
  security_notice: Type.String(),
});

const Setting = oneOfWords(['configured', 'missing'] as const);
export const HealthReply = stamped({
  ...described,
  data: Type.Object({
    service: Type.String(),
    status: oneOfWords(['operational', 'degraded'] as const),
    version: Type.String(),
    environment: Type.String(),
    configuration: Type.Object({
      app_id: Setting,
      app_secret: Setting,
      verification_key: Setting,
      database_connection: Type.Literal('active'),
    }),
    endpoints: Words,
    issues: Type.Optional(Words),
    timestamp: Timestamp,
  }),
});

export const StatisticsReply = Type.Object({
  success: Success,
  ...described,
  data: Type.Object({
    overview: Type.Object({
      total_ext_accounts: Type.Integer(),
      unique_users: Type.Integer(),
      primary_auth_methods: Type.Integer(),
      accounts_per_user_avg: Type.Number(),
    }),
    auth_methods: Type.Record(Type.String(), Type.Integer()),
    activity: Type.Object({
      active_last_24h: Type.Integer(),
      active_last_7d: Type.Integer(),
      new_accounts_30d: Type.Integer(),
    }),
    recent_signups: Type.Array(Type.Object({ date: Type.String(), new_accounts: Type.Integer() })),
  }),
  generated_at: Timestamp,
});
