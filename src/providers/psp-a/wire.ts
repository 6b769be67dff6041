import { type Static, Type } from 'typebox';
import { Value } from 'typebox/value';
import {
  done,
  neverArrived,
  type Outcome,
  type ProviderReply,
  refused,
  unknown,
} from '../../kernel/provider-call.ts';
import type { NewPspACustomer, PspCustomer } from './port.ts';

const Reference = Type.String({ minLength: 1, maxLength: 255 });
const Name = Type.String({ minLength: 1, maxLength: 255 });
const International = Type.String({ pattern: '^\\+[1-9]\\d{6,14}$' });
const Metadata = Type.Record(Type.String(), Type.String({ maxLength: 500 }));
const contact = {
  email: Type.Optional(Type.String({ pattern: '^[^@\\s]+@[^@\\s]+$', maxLength: 254 })),
  mobile_number: Type.Optional(International),
  metadata: Type.Optional(Metadata),
};

export const CreateRequest = Type.Union([
  Type.Object({
    reference_id: Reference,
    type: Type.Literal('INDIVIDUAL'),
    individual_detail: Type.Object({ given_names: Name, surname: Type.Optional(Name) }),
    ...contact,
  }),
  Type.Object({
    reference_id: Reference,
    type: Type.Literal('BUSINESS'),
    business_detail: Type.Object({ business_name: Name, business_type: Type.String() }),
    ...contact,
  }),
]);
export const UpdateRequest = Type.Object(contact);

export const Customer = Type.Object({
  id: Type.String({ pattern: '^cust-' }),
  reference_id: Reference,
  type: Type.Union([Type.Literal('INDIVIDUAL'), Type.Literal('BUSINESS')]),
  metadata: Type.Optional(
    Type.Union([Type.Object({ kyc_status: Type.Optional(Type.Unknown()) }), Type.Null()]),
  ),
});
const CustomerList = Type.Object({ data: Type.Array(Customer) });

const Failure = Type.Object({ error_code: Type.String(), message: Type.String() });

export const PSP_A_DUPLICATE = 'DUPLICATE_ERROR';

export function createRequest(customer: NewPspACustomer): Static<typeof CreateRequest> {
  const { reference, type, name, email, phone } = customer;
  const mobile = phone === undefined ? undefined : international(phone);
  const shared = {
    reference_id: reference,
    email,
    ...(mobile === undefined ? {} : { mobile_number: mobile }),
  };
  if (type === 'INDIVIDUAL') return { ...shared, type, individual_detail: personName(name) };
  const business_detail = { business_name: name, business_type: 'CORPORATION' };
  return { ...shared, type, business_detail };
}

export const customerOutcome = (reply: ProviderReply): Outcome<PspCustomer> =>
  outcomeOf(reply, (json) => (Value.Check(Customer, json) ? customerOf(json) : undefined));

/** The reference is compared again: a list that ignored its filter must not pass for an answer. */
export function foundOutcome(
  reply: ProviderReply,
  reference: string,
): Outcome<PspCustomer | undefined> {
  const listed = outcomeOf(reply, (json) =>
    Value.Check(CustomerList, json) ? json.data : undefined,
  );
  if (listed.kind !== 'done') return listed;
  const found = listed.value.find(({ reference_id }) => reference_id === reference);
  if (found === undefined && listed.value.length > 0) return unknown('answered other customers');
  return done(found && customerOf(found));
}

function outcomeOf<T>(reply: ProviderReply, read: (json: unknown) => T | undefined): Outcome<T> {
  if ('lost' in reply) {
    return neverArrived(reply.lost)
      ? refused('UNREACHABLE', 'The payment service provider cannot be reached', 503)
      : unknown(reply.lost);
  }
  const { status, json } = reply;
  const value = status < 300 ? read(json) : undefined;
  if (value !== undefined) return done(value);
  // After a 5xx or 408 it may well have happened.
  if (status < 400 || status === 408 || status >= 500) return unknown(`answered ${status}`);
  const failure = Value.Check(Failure, json) ? json : undefined;
  return refused(
    failure?.error_code ?? `HTTP_${status}`,
    failure?.message.slice(0, 200) ?? 'The payment service provider refused the request',
    status,
  );
}

function customerOf({ id, reference_id, type, metadata }: Static<typeof Customer>): PspCustomer {
  const kycStatus = metadata?.kyc_status;
  return {
    id,
    reference: reference_id,
    type,
    ...(typeof kycStatus === 'string' ? { kycStatus } : {}),
  };
}

/** The last word is the surname; many Indonesian names are one word and have none. */
function personName(name: string) {
  const words = name.trim().split(/\s+/);
  const surname = words.length > 1 ? words.pop() : undefined;
  const given_names = words.join(' ');
  return surname === undefined ? { given_names } : { given_names, surname };
}

/** E.164, or undefined without a country. */
function international(phone: string): string | undefined {
  const digits = phone.replace(/[\s().-]/g, '');
  return Value.Check(International, digits) ? digits : undefined;
}
