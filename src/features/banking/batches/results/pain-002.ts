import type { XmlTree } from '#kernel/xml/xml.ts';
import type { BatchItem, ItemStatus } from '../items-store.ts';
import { receivedOfItem } from '../quoted.ts';
import type { BatchStatus, PaymentBatch } from '../store.ts';
import { endToEndIdOf, failureOf, isoAmount, isoId, isoReason } from './outcome.ts';

const NAMESPACE = 'urn:iso:std:iso:20022:tech:xsd:pain.002.001.10';
const NOTE_MAX = 105;

/** A payment that came back had settled: that is an entry of camt.054. */
const ITEM_CODES: Readonly<Record<ItemStatus, string>> = {
  PENDING: 'PDNG',
  HELD: 'ACCP',
  PROCESSING: 'ACCP',
  COMPLETED: 'ACSC',
  RETURNED: 'ACSC',
  FAILED: 'RJCT',
  CANCELLED: 'RJCT',
};

const BATCH_CODES: Readonly<Record<BatchStatus, string>> = {
  DRAFT: 'PDNG',
  PENDING_APPROVAL: 'PDNG',
  SCHEDULED: 'ACCP',
  PROCESSING: 'ACCP',
  COMPLETED: 'ACSC',
  PARTIALLY_COMPLETED: 'PART',
  FAILED: 'RJCT',
  REJECTED: 'RJCT',
  CANCELLED: 'RJCT',
  EXPIRED: 'RJCT',
};

/** What the message that a batch was made of called it, else our id. */
export function originalOf({ our_reference, import_key }: PaymentBatch) {
  const [message = our_reference, order = our_reference, name = 'pain.001.001.09'] =
    import_key?.split('\n') ?? [];
  return { message, order, name };
}

/** Where a batch and each of its payments stand, as pain.002.001.10. */
export function pain002Of(batch: PaymentBatch, items: readonly BatchItem[], now: Date): XmlTree {
  const { message, order, name } = originalOf(batch);
  const status = BATCH_CODES[batch.status];
  return {
    Document: {
      '@xmlns': NAMESPACE,
      CstmrPmtStsRpt: {
        GrpHdr: {
          MsgId: isoId(`${batch.our_reference}-${batch.version}`),
          CreDtTm: now.toISOString(),
        },
        OrgnlGrpInfAndSts: {
          OrgnlMsgId: isoId(message),
          OrgnlMsgNmId: name,
          OrgnlNbOfTxs: String(items.length),
          GrpSts: status,
        },
        OrgnlPmtInfAndSts: {
          OrgnlPmtInfId: isoId(order),
          PmtInfSts: status,
          TxInfAndSts: items.map(statusOf),
        },
      },
    },
  };
}

function statusOf(item: BatchItem): XmlTree {
  const code = ITEM_CODES[item.status];
  const failure = failureOf(item);
  const why = failure?.provider_code ?? failure?.code ?? item.status;
  return {
    OrgnlInstrId: item.our_reference,
    OrgnlEndToEndId: endToEndIdOf(item),
    TxSts: code,
    ...(code === 'RJCT' && {
      StsRsnInf: {
        Rsn: isoReason(why),
        ...(failure && { AddtlInf: failure.message.slice(0, NOTE_MAX) }),
      },
    }),
    ...(item.provider_reference !== null && { AcctSvcrRef: isoId(item.provider_reference) }),
    OrgnlTxRef: { Amt: { InstdAmt: isoAmount(receivedOfItem(item)) } },
  };
}
