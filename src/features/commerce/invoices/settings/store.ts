import { OPERATOR_CLIENT_ID } from '#kernel/access/authenticator.ts';
import { type Db, run } from '#kernel/db/db.ts';
import type { Row } from '#kernel/db/row.ts';
import type { SealedKind } from '#kernel/secrets/sealed.ts';

export type GatewaySettings = Row<'gateway_settings'>;
export type GatewayBrand = Omit<
  GatewaySettings,
  'client_id' | 'return_secret_sealed' | 'version' | 'edited_by' | 'updated_at'
>;

const BRAND = [
  ...(['display_name', 'logo_file_id', 'color', 'support_email', 'embed_origins'] as const),
  'methods_off',
] as const satisfies (keyof GatewayBrand)[];

/** Undefined where the client has none. */
export const findGatewaySettings = async (
  db: Db,
  client_id: number,
): Promise<GatewaySettings | undefined> =>
  (
    await run<GatewaySettings>(db, 'select * from gateway_settings where client_id = $1', [
      client_id,
    ])
  )[0];

interface Edit {
  readonly client_id: number;
  readonly edited_by: number;
  /** The version that it is meant for; any where none is named, 0 before there is one. */
  readonly meant: number | undefined;
}

/** Undefined where there is another version by now. */
export async function replaceGatewaySettings(
  tx: Db,
  { client_id, edited_by, meant }: Edit,
  brand: GatewayBrand,
): Promise<GatewaySettings | undefined> {
  const columns = BRAND.join();
  const [row] = await run<GatewaySettings>(
    tx,
    `insert into gateway_settings as s (client_id, edited_by, ${columns})
     select $1::integer, $2::integer, ${columns} from json_populate_record(null::gateway_settings, $3::json)
      where $4::integer is null or $4 = 0
        or exists (select from gateway_settings where client_id = $1 and version = $4)
     on conflict (client_id) do update set edited_by = excluded.edited_by, updated_at = service_now(),
       version = s.version + 1, ${BRAND.map((name) => `${name} = excluded.${name}`).join()}
      where $4::integer is null or s.version = $4
     returning *`,
    [client_id, edited_by, JSON.stringify(brand), meant ?? null],
  );
  return row;
}

/** Keeps the secret instead of an earlier one. */
export async function keepReturnSecret(
  tx: Db,
  { client_id, edited_by, sealed }: Pick<Edit, 'client_id' | 'edited_by'> & { sealed: string },
): Promise<GatewaySettings> {
  const [row] = await run<GatewaySettings>(
    tx,
    `insert into gateway_settings as s (client_id, edited_by, return_secret_sealed) values ($1, $2, $3)
     on conflict (client_id) do update set edited_by = excluded.edited_by, updated_at = service_now(),
       version = s.version + 1, return_secret_sealed = excluded.return_secret_sealed
     returning *`,
    [client_id, edited_by, sealed],
  );
  if (!row) throw new Error('An upsert answers its row');
  return row;
}

/** What the client, or the operator for all, has switched off. */
export async function methodsOff(db: Db, client_id: number): Promise<readonly string[]> {
  const rows = await run<Pick<GatewaySettings, 'methods_off'>>(
    db,
    'select methods_off from gateway_settings where client_id = any($1)',
    [[client_id, OPERATOR_CLIENT_ID]],
  );
  return rows.flatMap(({ methods_off }) => methods_off);
}

/** Those of the files that are a logo. */
export async function filesOfSettings(db: Db, file_ids: readonly string[]): Promise<string[]> {
  const rows = await run<Pick<GatewaySettings, 'logo_file_id'>>(
    db,
    'select distinct logo_file_id from gateway_settings where logo_file_id = any($1)',
    [file_ids],
  );
  return rows.flatMap(({ logo_file_id }) => logo_file_id ?? []);
}

/** What the secret opens with. */
export const returnSecretContext = (client_id: number): string => `return secret:${client_id}`;

export const SEALED_RETURN_SECRETS: SealedKind = {
  what: 'secrets of return addresses',
  text: `select return_secret_sealed as sealed, 'return secret:' || client_id as context, null::bytea as mark
    from gateway_settings where return_secret_sealed is not null`,
};

type SellerRow = Pick<
  GatewaySettings,
  | ('display_name' | 'color' | 'logo_file_id' | 'support_email' | 'embed_origins')
  | 'return_secret_sealed'
>;
/** How a client appears to payers. */
export type Seller = Omit<SellerRow, 'display_name'> & { readonly name: string };

/** What is not set is the client's own, or nothing. */
export async function sellerOf(db: Db, client_id: number): Promise<Seller> {
  const [row] = await run<SellerRow>(
    db,
    `select coalesce(s.display_name, c.client_alias) as display_name, s.color, s.logo_file_id, s.support_email,
       coalesce(s.embed_origins, '{}') as embed_origins, s.return_secret_sealed
       from clients c left join gateway_settings s using (client_id) where c.client_id = $1`,
    [client_id],
  );
  if (!row) throw new Error(`There is no client ${client_id}`);
  const { display_name, ...seller } = row;
  return { ...seller, name: display_name ?? '' };
}
