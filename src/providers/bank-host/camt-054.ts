import type { BookLine } from '#kernel/reconciliation/rail.ts';
import { elementsOf, readXml, textAt, type XmlNode } from '#kernel/xml/xml.ts';
import { amountAt, currencyAt } from './pain-002.ts';

/** Of a payment that none of both sides has named. */
const NAMELESS = 'NOTPROVIDED';

/** A booked movement on an account of ours. */
export interface HostEntry extends BookLine {
  /** ISO's reason code of money that came back. */
  readonly returned?: string;
}

/** The booked entries of a camt.054; undefined where one of them is not understood. */
export function entriesOf(xml: string): HostEntry[] | undefined {
  const root = elementsOf(readXml(xml), 'Document', 'BkToCstmrDbtCdtNtfctn')[0];
  if (root === undefined) return undefined;
  const booked = elementsOf(root, 'Ntfctn', 'Ntry').filter(
    (entry) => (textAt(entry, 'Sts', 'Cd') ?? textAt(entry, 'Sts')) === 'BOOK',
  );
  const entries = booked.flatMap(entriesIn);
  return entries.every((entry) => entry !== undefined) ? entries : undefined;
}

/** One of each transaction: several may be booked as one entry. */
function entriesIn(entry: XmlNode): (HostEntry | undefined)[] {
  const details = elementsOf(entry, 'NtryDtls', 'TxDtls');
  if (details.length < 2) return [readEntry(entry, details[0] ?? {}, entry)];
  return details.map((one) => readEntry(entry, one, one));
}

function readEntry(entry: XmlNode, details: XmlNode, priced: XmlNode): HostEntry | undefined {
  const asset = currencyAt(priced, 'Amt');
  const size = amountAt(priced, 'Amt');
  const line = textAt(details, 'Refs', 'AcctSvcrRef') ?? textAt(entry, 'AcctSvcrRef');
  const at = new Date(textAt(entry, 'BookgDt', 'DtTm') ?? textAt(entry, 'BookgDt', 'Dt') ?? '');
  if (asset === undefined || size === undefined || line === undefined || Number.isNaN(+at))
    return undefined;
  const isOut = textAt(entry, 'CdtDbtInd') === 'DBIT';
  const reference = textAt(details, 'Refs', 'EndToEndId') ?? NAMELESS;
  const [returned] = elementsOf(details, 'RtrInf');
  const code =
    returned && (textAt(returned, 'Rsn', 'Cd') ?? textAt(returned, 'Rsn', 'Prtry') ?? '');
  return {
    line,
    reference,
    kind: kindOf(isOut, code !== undefined, reference),
    asset,
    units: isOut ? -size : size,
    at,
    ...(code !== undefined && { returned: code || 'RETURNED' }),
  };
}

function kindOf(isOut: boolean, isReturn: boolean, reference: string): string {
  if (isReturn && !isOut) return 'return';
  if (!isOut) return 'credit';
  return reference === NAMELESS ? 'debit' : 'payout';
}
