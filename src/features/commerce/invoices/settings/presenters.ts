import { type Static, Type } from 'typebox';
import { defineEvent } from '#kernel/events/event-type.ts';
import { named } from '#kernel/http/declare/named.ts';
import { objectIdField } from '#kernel/http/declare/object-id-field.ts';
import {
  explained,
  Nullable,
  oneOfWords,
  TextOrNull,
  Timestamp,
} from '#kernel/http/declare/schema.ts';
import { objectId } from '#kernel/object-id.ts';
import { INVOICE_METHODS } from '../payment-store.ts';
import type { GatewaySettings } from './store.ts';

const SwitchedMethod = named('SwitchedMethod', {
  method: oneOfWords(INVOICE_METHODS),
  enabled: Type.Boolean(),
});

export const ShownSettings = named('GatewaySettings', {
  display_name: explained(TextOrNull, 'Who asks for money, as payers read it; else the client'),
  logo_file_id: Nullable(objectIdField('fil')),
  color: explained(TextOrNull, 'Of buttons on the page, `#rrggbb`; white text is readable on it'),
  support_email: explained(TextOrNull, 'Where payers ask'),
  embed_origins: explained(
    Type.Array(Type.String({ examples: ['https://shop.example.com'] })),
    'Whose pages may show the page in a frame',
  ),
  methods: explained(Type.Array(SwitchedMethod), 'All ways to pay, and whether each is offered'),
  signs_returns: explained(Type.Boolean(), 'Whether return addresses are signed'),
  version: explained(Type.Integer(), '0 before they are set'),
  updated_at: Nullable(Timestamp),
});

/** As the admins of a client see them. */
export function shownSettings(row: GatewaySettings | undefined): Static<typeof ShownSettings> {
  const off = row?.methods_off ?? [];
  const { logo_file_id = null } = row ?? {};
  return {
    display_name: row?.display_name ?? null,
    logo_file_id: logo_file_id === null ? null : objectId('fil', logo_file_id),
    color: row?.color ?? null,
    support_email: row?.support_email ?? null,
    embed_origins: row?.embed_origins ?? [],
    methods: INVOICE_METHODS.map((method) => ({ method, enabled: !off.includes(method) })),
    signs_returns: row !== undefined && row.return_secret_sealed !== null,
    version: row?.version ?? 0,
    updated_at: row?.updated_at ?? null,
  };
}

/** Of the client whose settings they are. */
export const gatewaySettingsUpdated = defineEvent('gateway_settings.updated', {
  schema: ShownSettings,
  summary: 'How a client appears to payers, or which ways to pay it offers, has changed',
  since: '2026-11',
  example: {
    display_name: 'Lamp shop',
    logo_file_id: null,
    color: '#0b6e4f',
    support_email: 'help@example.com',
    embed_origins: ['https://shop.example.com'],
    methods: INVOICE_METHODS.map((method) => ({ method, enabled: method !== 'ewallet' })),
    signs_returns: false,
    version: 1,
    updated_at: '2026-11-22T03:00:58.447Z',
  },
});
