import type { Money } from '#kernel/money/money.ts';
import type { XmlTree } from '#kernel/xml/xml.ts';
import type { BatchItem } from '../items-store.ts';
import { receivedOfItem } from '../quoted.ts';
import type { PaymentBatch } from '../store.ts';
import { endToEndIdOf, isoAmount, isoId, isoReason, returnOf, timeIn } from './outcome.ts';
import { originalOf } from './pain-002.ts';

const NAMESPACE = 'urn:iso:std:iso:20022:tech:xsd:camt.054.001.08';

/** What a batch has booked on its wallet, as camt.054.001.08: payments with their fees, and what came back. */
export function camt054Of(batch: PaymentBatch, items: readonly BatchItem[], now: Date): XmlTree {
  const at = now.toISOString();
  const { order } = originalOf(batch);
  const id = isoId(`${batch.our_reference}-${batch.version}`);
  return {
    Document: {
      '@xmlns': NAMESPACE,
      BkToCstmrDbtCdtNtfctn: {
        GrpHdr: { MsgId: id, CreDtTm: at },
        Ntfctn: {
          Id: id,
          CreDtTm: at,
          Acct: { Id: { Othr: { Id: String(batch.wallet_id) } }, Ccy: batch.currency },
          Ntry: items.flatMap((item) => entriesOfItem(item, isoId(order))),
        },
      },
    },
  };
}

function entriesOfItem(item: BatchItem, order: string): XmlTree[] {
  const { status, amount, fee, currency: asset } = item;
  if (status !== 'COMPLETED' && status !== 'RETURNED') return [];
  const paid = entry(item, order, {
    money: { asset, units: amount + fee },
    side: 'DBIT',
    at: timeIn(item, 'COMPLETED'),
  });
  const returned = returnOf(item);
  // By a quote it came back to the wallet of the other currency, whose entry it is.
  if (!returned || item.received_currency !== null) return [paid];
  const back = {
    money: { asset, units: amount },
    side: 'CRDT',
    at: returned.at,
    reason: returned.reason_code,
  } as const;
  return [paid, entry(item, order, back)];
}

interface Booked {
  readonly money: Money;
  readonly side: 'DBIT' | 'CRDT';
  readonly at: string;
  readonly reason?: string;
}

function entry(item: BatchItem, order: string, { money, side, at, reason }: Booked): XmlTree {
  const { currency: asset, fee, amount } = item;
  const isFree = side === 'CRDT' || item.fee === 0n;
  return {
    NtryRef: isoId(side === 'CRDT' ? `${item.our_reference}:R` : item.our_reference),
    Amt: isoAmount(money),
    CdtDbtInd: side,
    Sts: { Cd: 'BOOK' },
    BookgDt: { DtTm: at },
    BkTxCd: { Prtry: { Cd: reason === undefined ? 'PAYMENT' : 'RETURN' } },
    ...(!isFree && { Chrgs: { TtlChrgsAndTaxAmt: isoAmount({ asset, units: fee }) } }),
    NtryDtls: {
      TxDtls: {
        Refs: {
          ...(item.provider_reference !== null && { AcctSvcrRef: isoId(item.provider_reference) }),
          PmtInfId: order,
          InstrId: item.our_reference,
          EndToEndId: endToEndIdOf(item),
        },
        Amt: isoAmount({ asset, units: amount }),
        CdtDbtInd: side,
        ...(item.received_currency !== null && {
          AmtDtls: { InstdAmt: { Amt: isoAmount(receivedOfItem(item)) } },
        }),
        ...(item.note !== null && { RmtInf: { Ustrd: item.note } }),
        ...(reason !== undefined && { RtrInf: { Rsn: isoReason(reason) } }),
      },
    },
  };
}
