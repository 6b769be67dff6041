import { SCALE } from '#kernel/money/money.ts';
import { attributeAt, elementsOf, readXml, textAt, type XmlNode } from '#kernel/xml/xml.ts';
import { meaningOf } from '../code-table.ts';
import { HOST_CURRENCIES, type HostCurrency, type HostPaymentState } from './port.ts';
import { HOST_STATUSES } from './status-codes.ts';

const ROOT = ['Document', 'CstmrPmtStsRpt'] as const;

/**
 * What a pain.002 says of the payment with that EndToEndId; undefined where it says nothing certain. A group or order
 * that is refused as a whole need not name its payments.
 */
export function reportedStatusOf(
  xml: string,
  reference: string,
): Omit<HostPaymentState, 'id'> | undefined {
  const document = readXml(xml);
  const [report] = elementsOf(document, ...ROOT);
  if (report === undefined) return undefined;
  const payments = elementsOf(report, 'OrgnlPmtInfAndSts', 'TxInfAndSts');
  const own = payments.filter((one) => textAt(one, 'OrgnlEndToEndId') === reference);
  if (own.length > 1) return undefined;
  const [payment] = own;
  if (payment) return readStatus(reference, payment, textAt(payment, 'TxSts'));
  if (payments.length > 0) return undefined;
  const [order] = elementsOf(report, 'OrgnlPmtInfAndSts');
  const [group] = elementsOf(report, 'OrgnlGrpInfAndSts');
  if (order && textAt(order, 'PmtInfSts'))
    return readStatus(reference, order, textAt(order, 'PmtInfSts'));
  return group && readStatus(reference, group, textAt(group, 'GrpSts'));
}

function readStatus(
  reference: string,
  node: XmlNode,
  code: string | undefined,
): Omit<HostPaymentState, 'id'> | undefined {
  const status = meaningOf(HOST_STATUSES, code);
  if (status === undefined) return undefined;
  const units = amountAt(node, 'OrgnlTxRef', 'Amt', 'InstdAmt');
  const reason =
    textAt(node, 'StsRsnInf', 'Rsn', 'Cd') ?? textAt(node, 'StsRsnInf', 'Rsn', 'Prtry');
  return {
    reference,
    status,
    ...(units !== undefined && { units }),
    ...(status === 'FAILED' && { failureCode: reason ?? code ?? 'RJCT' }),
  };
}

/** An amount in units of its currency; undefined where there is none, or it is none of ours. */
export function amountAt(node: XmlNode, ...path: readonly string[]): bigint | undefined {
  const currency = currencyAt(node, ...path);
  const text = textAt(node, ...path);
  if (currency === undefined || text === undefined) return undefined;
  const [, whole, fraction = ''] = /^(\d{1,18})(?:\.(\d{1,5}))?$/.exec(text) ?? [];
  const digits = fraction.replace(/0+$/, '');
  const scale = SCALE[currency];
  if (whole === undefined || digits.length > scale) return undefined;
  return BigInt(whole + digits.padEnd(scale, '0'));
}

export function currencyAt(node: XmlNode, ...path: readonly string[]): HostCurrency | undefined {
  const currency = attributeAt(node, 'Ccy', ...path);
  return HOST_CURRENCIES.find((one) => one === currency);
}
