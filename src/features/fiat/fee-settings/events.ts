import { Type } from 'typebox';
import { defineEvent } from '#kernel/events/event-type.ts';
import { named } from '#kernel/http/declare/named.ts';
import { Id, Timestamp } from '#kernel/http/declare/schema.ts';
import type { FeeTerms } from './store.ts';

export const FeeRates = {
  platform_fee_percentage: Type.Number(),
  minimum_platform_fee_usd: Type.Number(),
  gas_price_multiplier: Type.Number(),
};

export const Settings = named('FeeSettings', {
  id: Id,
  ...FeeRates,
  updated_by_admin_id: Id,
  is_active: Type.Boolean(),
  created_at: Timestamp,
  updated_at: Timestamp,
});

/** Of the client whose fees they are. */
export const feeSettingsUpdated = defineEvent('fee_settings.updated', {
  schema: Settings,
  summary: 'A client’s fees for sends on chain have changed',
  since: '2026-11',
  example: {
    id: 7,
    platform_fee_percentage: 1.25,
    minimum_platform_fee_usd: 0.5,
    gas_price_multiplier: 1.5,
    updated_by_admin_id: 2,
    is_active: true,
    created_at: '2026-11-22T03:00:58.447Z',
    updated_at: '2026-11-22T03:00:58.447Z',
  },
});

export const shown = ({ fee_ppm, minimum_micro_usd, gas_points }: FeeTerms) => ({
  platform_fee_percentage: fee_ppm / 10_000,
  minimum_platform_fee_usd: minimum_micro_usd / 1_000_000,
  gas_price_multiplier: gas_points / 10_000,
});
