export interface HtmlOptions {
  /** Plain text where another system wants that. */
  readonly type?: 'text/html' | 'text/plain';
  /** Where the browser goes on, with a status that says so: after a form was sent. */
  readonly location?: string;
  /** The origins whose pages may show it in a frame; none where it is left out. */
  readonly frames?: readonly string[];
  /** The text of the page's one `<style>`. A page that names it has no other style of its own. */
  readonly style?: string;
}

/** A page for a person instead of JSON. */
export class Html {
  readonly status: number;
  readonly text: string;
  readonly options: HtmlOptions;
  constructor(status: number, text: string, options: HtmlOptions = {}) {
    this.status = status;
    this.text = text;
    this.options = options;
  }
}
