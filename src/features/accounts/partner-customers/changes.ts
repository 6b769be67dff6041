import type { PartnerCustomer } from '#providers/partner/port.ts';

/** A field of a customer that differs from before. */
export interface Change {
  readonly field: string;
  readonly from: unknown;
  readonly to: unknown;
}

/** The differences between two views of a customer, field by field; null where a field was missing. */
export function changesBetween(before: PartnerCustomer, after: PartnerCustomer): Change[] {
  const [old, current] = [fieldsOf(before), fieldsOf(after)];
  const fields = [...new Set([...old.keys(), ...current.keys()])];
  return fields
    .map((field) => ({ field, from: old.get(field) ?? null, to: current.get(field) ?? null }))
    .filter(({ from, to }) => JSON.stringify(from) !== JSON.stringify(to));
}

const CAPABILITIES = 'capabilities.';
export const isOfCapability = ({ field }: Change): boolean => field.startsWith(CAPABILITIES);

function fieldsOf(customer: PartnerCustomer): Map<string, unknown> {
  const { status, type, kyc_status, signed_agreement_id, verification } = customer;
  const fields = new Map<string, unknown>(
    Object.entries({ status, type, kyc_status, signed_agreement_id }),
  );
  for (const [name, value] of Object.entries(verification))
    fields.set(`verification.${name}`, value);
  for (const capability of customer.capabilities) {
    fields.set(`${CAPABILITIES}${capability.id}`, capability.status);
    fields.set(`${CAPABILITIES}${capability.id}.currencies`, capability.supported_currencies);
  }
  // An account's kind and currency never change; the account is added, removed, or switched off.
  for (const account of customer.external_accounts)
    fields.set(`external_accounts.${account.id}`, account.status);
  return fields;
}
