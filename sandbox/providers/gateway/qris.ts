import { Buffer } from 'node:buffer';

/**
 * What a QRIS code says: fields of EMV's merchant-presented codes, each with its number and length, and a
 * checksum at the end. The merchant is made up, so that no app can pay it. Tag 26 is the acquirer's own template (its
 * domain, the merchant's PAN, its id there, its size), tag 51 the national one, with the merchant's national id in 02.
 */
export function qrisText(bill: string, rupiah: number): string {
  const size = field(3, 'UMI');
  const acquirer = [
    field(0, 'ID.CO.ARCHIPAY.WWW'),
    field(1, '936000000000000000'),
    field(2, '000000000000000'),
    size,
  ];
  const national = [field(0, 'ID.CO.QRIS.WWW'), field(2, 'ID1020000000000'), size];
  const fields = [
    field(0, '01'),
    // 12: the code is for one payment.
    field(1, '12'),
    field(26, acquirer.join('')),
    field(51, national.join('')),
    field(52, '6012'),
    field(53, '360'),
    field(54, String(rupiah)),
    field(58, 'ID'),
    field(59, 'ARCHIPAY SANDBOX'),
    field(60, 'JAKARTA'),
    field(61, '10110'),
    field(62, field(1, bill.slice(0, 25))),
  ];
  const text = `${fields.join('')}6304`;
  return text + checksum(text);
}

const field = (number: number, value: string): string =>
  `${String(number).padStart(2, '0')}${String(value.length).padStart(2, '0')}${value}`;

/** CRC-16 with polynomial 1021, from FFFF. */
function checksum(text: string): string {
  let crc = 0xffff;
  for (const byte of Buffer.from(text)) {
    crc ^= byte << 8;
    for (let bit = 0; bit < 8; bit += 1)
      crc = (crc & 0x8000 ? (crc << 1) ^ 0x1021 : crc << 1) & 0xffff;
  }
  return crc.toString(16).toUpperCase().padStart(4, '0');
}
