import { Link } from '@tanstack/react-router';
import type { ReactNode } from 'react';
import { money } from '../amount.ts';
import type { Payment } from '../payment-shapes.ts';
import { Ident } from '../ui/ident.tsx';
import { Person } from '../ui/person.tsx';
import { When } from '../ui/when.tsx';
import { OtherSide, Standing } from './payments.tsx';

interface Shown {
  readonly one: Payment;
  readonly now: string;
}

/** All that the list of payments knows of one. */
export const PaymentFacts = ({ one, now }: Shown) => (
  <dl className="facts wide">
    <Fact name="Status">
      <Standing one={one} />
    </Fact>
    {one.failure && (
      <Fact name="Failure">
        <code>{one.failure.code}</code> {one.failure.message}
        {one.failure.retryable && ' It may be tried again.'}
      </Fact>
    )}
    {one.in_doubt_since && (
      <Fact name="In doubt since">
        <When at={one.in_doubt_since} now={now} />
      </Fact>
    )}
    {one.next_attempt_at && (
      <Fact name="Looked up again">
        <When at={one.next_attempt_at} />
      </Fact>
    )}
    <Fact name="What">
      {one.rail} {one.kind.replaceAll('_', ' ')}, {one.direction}
    </Fact>
    <Money one={one} />
    <Whose one={one} />
    <Names one={one} />
    {Object.entries(one.metadata).map(([name, value]) => (
      <Fact key={name} name={`Metadata ${name}`}>
        {String(value)}
      </Fact>
    ))}
    {Object.entries(one.status_times).map(([name, at]) => (
      <Fact key={name} name={name.replace(/_at$/, '').replaceAll('_', ' ')}>
        <When at={at} now={now} />
      </Fact>
    ))}
  </dl>
);

const Fact = ({ name, children }: { name: string; children: ReactNode }) => (
  <>
    <dt>{name}</dt>
    <dd>{children}</dd>
  </>
);

const NOTHING = /^0(\.0+)?$/;

const Money = ({ one: { amount, currency, fee, refunded_amount } }: { one: Payment }) => (
  <>
    <Fact name="Amount">
      <strong>{money(amount, currency)}</strong>
    </Fact>
    <Fact name="Fee">{money(fee, currency)}</Fact>
    {!NOTHING.test(refunded_amount) && (
      <Fact name="Given back">{money(refunded_amount, currency)}</Fact>
    )}
  </>
);

const Whose = ({ one: { user_id, wallet_id, counterparty } }: { one: Payment }) => (
  <>
    {user_id !== null && (
      <Fact name="Person">
        <Person id={user_id} />
      </Fact>
    )}
    {wallet_id !== null && (
      <Fact name="Wallet">
        <Link to="/wallets/$id" params={{ id: String(wallet_id) }}>
          {wallet_id}
        </Link>
      </Fact>
    )}
    <Fact name="Other side">
      <OtherSide of={counterparty} />
    </Fact>
  </>
);

const Names = ({ one }: { one: Payment }) => (
  <>
    <Fact name="Our reference">
      <Ident id={one.our_reference} search />
    </Fact>
    {one.reference !== null && (
      <Fact name="Caller’s reference">
        <Ident id={one.reference} />
      </Fact>
    )}
    {one.provider_reference !== null && (
      <Fact name="Provider’s reference">
        <Ident id={one.provider_reference} />
      </Fact>
    )}
    {one.object.id !== one.our_reference && (
      <Fact name={`Id of the ${one.object.type.replaceAll('_', ' ')}`}>
        <Ident id={one.object.id} search />
      </Fact>
    )}
    <Fact name="Id of the payment">
      <Ident id={one.payment_id} />
    </Fact>
  </>
);
