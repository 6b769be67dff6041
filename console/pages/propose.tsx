import { useNavigate } from '@tanstack/react-router';
import { useState } from 'react';
import { FIAT } from '#features/fiat/fiat-wallets/currencies.ts';
import type { Direction, Proposal } from '../adjustment-shapes.ts';
import { useChange } from '../data.ts';
import { Act } from '../ui/act.tsx';
import { Area, Field, Select } from '../ui/field.tsx';
import type { Filled } from '../ui/form.tsx';

/** Proposes a correction, which is booked when another admin approves. */
export function Propose() {
  const [kind, setKind] = useState<Proposal['kind']>('reversal');
  const navigate = useNavigate();
  const { mutateAsync } = useChange('POST /adjustments');
  const propose = async (filled: Filled) => {
    const { data } = await mutateAsync({ body: proposalOf(kind, filled) });
    void navigate({ to: '/adjustments/$id', params: { id: data.adjustment_id } });
  };
  return (
    <Act
      verb="Propose"
      look="main"
      title="Propose an adjustment"
      done="The adjustment is proposed: somebody else has to approve it"
      onDo={propose}
    >
      <Select
        label="What"
        value={kind}
        options={[
          ['reversal', 'Reverse a posted transfer'],
          ['adjustment', 'Give a wallet something, or take it'],
        ]}
        onChoice={setKind}
      />
      {kind === 'reversal' ? (
        <Field
          label="Reference of the transfer"
          name="of"
          hint="As the timeline and statements have it."
          maxLength={200}
          required
        />
      ) : (
        <OfWallet />
      )}
      <Area
        label="Why"
        name="reason"
        hint="For whoever approves, and for the record."
        maxLength={500}
        required
      />
    </Act>
  );
}

const OfWallet = () => (
  <>
    <Field
      label="Wallet number"
      name="wallet_id"
      inputMode="numeric"
      pattern="[1-9][0-9]*"
      required
    />
    <Select
      label="Direction"
      name="direction"
      options={[
        ['credit', 'Credit: the wallet gets it'],
        ['debit', 'Debit: it is taken from the wallet'],
      ]}
    />
    <div className="pair">
      <Field
        label="Amount"
        name="amount"
        inputMode="decimal"
        pattern="[0-9]+([.][0-9]+)?"
        placeholder="10.00"
        required
      />
      <Select
        label="Currency"
        name="currency"
        options={FIAT.map((currency) => [currency, currency] as const)}
      />
    </div>
  </>
);

/** The fields as typed; the service judges them. */
function proposalOf(kind: Proposal['kind'], filled: Filled): Proposal {
  const { of = '', reason = '', wallet_id, direction, amount = '', currency } = filled;
  if (kind === 'reversal') return { kind, of, reason };
  return {
    kind,
    wallet_id: Number(wallet_id),
    direction: direction as Direction,
    amount,
    currency: currency as (typeof FIAT)[number],
    reason,
  };
}
