import type { ArchipayOptions } from './caller.ts';
import { exactlyOnceOf } from './once.ts';
import { Resources } from './resources.generated.ts';

/** The client of the API: a property for each resource, a method for each operation. */
export class Archipay extends Resources {
  constructor(options: ArchipayOptions = {}) {
    super(options, exactlyOnceOf);
  }
}
