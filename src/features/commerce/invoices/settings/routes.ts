import { randomBytes } from 'node:crypto';
import { type Static, Type } from 'typebox';
import { logActivity } from '#features/messaging/activity/activity.ts';
import type { Files } from '#features/messaging/files/files.ts';
import type { Db } from '#kernel/db/db.ts';
import { fail, wrongField } from '#kernel/error.ts';
import { emit } from '#kernel/events/emit.ts';
import { codedEnvelope } from '#kernel/http/declare/envelope.ts';
import { requireVersion, versionMeant } from '#kernel/http/declare/if-match.ts';
import { named } from '#kernel/http/declare/named.ts';
import { objectIdInput } from '#kernel/http/declare/object-id-field.ts';
import {
  endpoints,
  type RequestFacts,
  type Route,
  type UserCaller,
} from '#kernel/http/declare/route.ts';
import {
  Email,
  explained,
  integerInput,
  nameInput,
  oneOfWords,
  stamped,
} from '#kernel/http/declare/schema.ts';
import { secret } from '#kernel/http/declare/secret.ts';
import { ID_MAX } from '#kernel/http/declare/wire.ts';
import type { Kernel } from '#kernel/kernel.ts';
import { INVOICE_METHODS } from '../payment-store.ts';
import { carriesWhiteText } from './color.ts';
import { gatewaySettingsUpdated, ShownSettings, shownSettings } from './presenters.ts';
import {
  findGatewaySettings,
  type GatewayBrand,
  type GatewaySettings,
  keepReturnSecret,
  replaceGatewaySettings,
  returnSecretContext,
} from './store.ts';

export interface SettingsDeps extends Pick<Kernel, 'vault'> {
  readonly files: Pick<Files, 'hold'>;
}

const endpoint = endpoints(codedEnvelope);
const One = stamped({ data: ShownSettings });
const ORIGINS_MAX = 10;
/** An origin and nothing more: what is written here becomes a part of a header. */
const ORIGIN = '^https://[a-z0-9](?:[a-z0-9.-]{0,250}[a-z0-9])?(?::[1-9][0-9]{0,4})?$';
const SECRET_BYTES = 32;

const SettingsInput = Type.Object({
  display_name: nameInput(100),
  logo_file_id: Type.Optional(explained(objectIdInput('fil'), 'A file of the purpose `logo`')),
  color: explained(
    Type.String({ pattern: '^#[0-9a-fA-F]{6}$', examples: ['#0b6e4f'] }),
    'Dark enough for white text: a contrast of 4.5 or more',
  ),
  support_email: Email,
  embed_origins: Type.Optional(
    Type.Array(
      Type.String({ pattern: ORIGIN, maxLength: 264, examples: ['https://shop.example.com'] }),
      { maxItems: ORIGINS_MAX, description: 'Whose pages may show the page in a frame' },
    ),
  ),
  methods: Type.Optional(
    Type.Array(
      named('SwitchedMethodInput', {
        method: oneOfWords(INVOICE_METHODS),
        enabled: Type.Boolean(),
      }),
      { maxItems: INVOICE_METHODS.length, description: 'What is left out is offered' },
    ),
  ),
  version: Type.Optional(integerInput(0, ID_MAX)),
});
type SettingsInput = Static<typeof SettingsInput>;

/** How a client appears to payers, and which ways to pay it offers. */
export const gatewaySettingsRoutes = (deps: SettingsDeps): Route[] => [
  readRoute,
  replaceRoute(deps),
  secretRoute(deps),
];

const readRoute: Route = endpoint('GET /payment-gateway/settings', {
  name: 'gatewaySettings.get',
  auth: 'admin',
  team: 'settings:read',
  summary: 'How the client appears to payers, and which ways to pay it offers',
  reply: { 200: One },
  fault: 'Failed to read the settings',
  async handler({ caller, db }) {
    return { data: shownSettings(await findGatewaySettings(db, caller.client_id)) };
  },
});

const replaceRoute = (deps: SettingsDeps): Route =>
  endpoint('PUT /payment-gateway/settings', {
    name: 'gatewaySettings.replace',
    auth: 'admin',
    team: 'settings:write',
    proof: true,
    errors: ['NOT_FOUND', 'VERSION_CONFLICT'],
    summary: 'Replaces how the client appears to payers, and which ways to pay it offers',
    body: SettingsInput,
    example: { display_name: 'Lamp shop', methods: [{ method: 'ewallet', enabled: false }] },
    reply: { 200: One },
    atomic: true,
    fault: 'Failed to change the settings',
    async handler({ caller, body, request, db }) {
      const { client_id, user_id: edited_by } = caller;
      const meant = versionMeant(body, request.headers);
      const brand = brandOf(body);
      if (brand.logo_file_id !== null) await requireLogo(deps, db, client_id, brand.logo_file_id);
      const row = await replaceGatewaySettings(db, { client_id, edited_by, meant }, brand);
      if (!row) {
        requireVersion((await findGatewaySettings(db, client_id))?.version ?? 0, meant);
        throw fail('VERSION_CONFLICT', 'It has been changed since it was read');
      }
      return {
        data: await recorded(db, row, { caller, request, action: 'CHECKOUT_SETTINGS_SET' }),
      };
    },
  });

const secretRoute = ({ vault }: SettingsDeps): Route =>
  endpoint('POST /payment-gateway/settings/return-secret', {
    name: 'gatewaySettings.makeSecret',
    auth: 'admin',
    team: 'settings:write',
    proof: true,
    summary: 'Makes the secret that signs return addresses, instead of an earlier one',
    reply: {
      200: stamped({
        data: Type.Object({
          secret: secret(explained(Type.String(), 'Shown this once')),
          version: Type.Integer(),
        }),
      }),
    },
    atomic: true,
    fault: 'Failed to make the secret',
    async handler({ caller, request, db }) {
      const { client_id, user_id: edited_by } = caller;
      const made = `rs_${randomBytes(SECRET_BYTES).toString('base64url')}`;
      const sealed = vault.seal(made, returnSecretContext(client_id));
      const row = await keepReturnSecret(db, { client_id, edited_by, sealed });
      await recorded(db, row, { caller, request, action: 'CHECKOUT_RETURN_SECRET_MADE' });
      return { data: { secret: made, version: row.version } };
    },
  });

interface Change {
  readonly caller: UserCaller;
  readonly request: RequestFacts;
  readonly action: string;
}

/** The change with its event and its line in the audit log. */
async function recorded(db: Db, row: GatewaySettings, { caller, request, action }: Change) {
  const { client_id } = caller;
  const data = shownSettings(row);
  emit(db, gatewaySettingsUpdated, { client_id, id: client_id, data });
  await logActivity(db, { action, actor: caller, details: { ...data }, request });
  return data;
}

/** Throws VALIDATION_ERROR where white text cannot be read on the colour, or something is named twice. */
function brandOf(body: SettingsInput): GatewayBrand {
  const color = body.color.toLowerCase();
  if (!carriesWhiteText(color))
    throw wrongField('color', 'must have a contrast of at least 4.5 with white');
  const { methods = [], embed_origins = [] } = body;
  const names = methods.map(({ method }) => method);
  if (new Set(names).size < names.length) throw wrongField('methods', 'must name each method once');
  return {
    display_name: body.display_name,
    logo_file_id: body.logo_file_id ?? null,
    color,
    support_email: body.support_email,
    embed_origins: [...new Set(embed_origins)],
    methods_off: methods.filter(({ enabled }) => !enabled).map(({ method }) => method),
  };
}

/** Held: a file that is named is not deleted. */
async function requireLogo(
  { files }: SettingsDeps,
  tx: Db,
  client_id: number,
  file_id: string,
): Promise<void> {
  const file = await files.hold(tx, { client_id }, file_id);
  if (!file) throw fail('NOT_FOUND', 'File not found');
  if (file.purpose !== 'logo')
    throw wrongField('logo_file_id', 'must be a file of the purpose logo');
}
