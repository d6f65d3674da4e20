// SPDX-License-Identifier: MIT
/**
 * Who carries messages between the page and the engine: a WebSocket to `gully studio`, or a worker of this page that runs
 * the engine itself. The messages are the same (docs/protocol.md).
 */

export interface CarrierListener {
  opened(): void;
  received(data: string | ArrayBuffer): void;
  /** It is of no use any more. */
  closed(): void;
}

export interface Carrier {
  /** Whether messages can be sent. */
  readonly open: boolean;
  send(text: string): void;
  /** Sends a file; gives the path to use in `open` and `add_raster`. */
  upload(file: File): Promise<string>;
  /** The address of a file that `export` has made. */
  download(name: string): Promise<string>;
}

/** Opens a new line. */
export type Dial = (listener: CarrierListener) => Carrier;
