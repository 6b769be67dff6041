import type { Locator } from 'playwright-core';
import decodeQR from 'qr/decode.js';

/** What a phone's camera reads off a picture of the page, as the browser has drawn it. */
export async function scan(picture: Locator): Promise<string> {
  const shot = await picture.evaluate(drawn);
  return decodeQR({ ...shot, data: Uint8Array.from(shot.data) });
}

/** The browser's own, which the compiler's library for servers does not know. */
interface Picture {
  readonly naturalWidth: number;
  readonly naturalHeight: number;
  readonly ownerDocument: {
    createElement(name: 'canvas'): {
      width: number;
      height: number;
      getContext(kind: '2d'): {
        drawImage(image: unknown, x: number, y: number): void;
        getImageData(...area: [number, number, number, number]): {
          readonly data: Iterable<number>;
        };
      };
    };
  };
}

function drawn(element: unknown) {
  const image = element as Picture;
  const canvas = image.ownerDocument.createElement('canvas');
  const { naturalWidth: width, naturalHeight: height } = image;
  canvas.width = width;
  canvas.height = height;
  const context = canvas.getContext('2d');
  context.drawImage(image, 0, 0);
  return { width, height, data: [...context.getImageData(0, 0, width, height).data] };
}
