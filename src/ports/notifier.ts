/** The notifier port, which is optional: tells a server of the operator what happened. */
export interface Notifier {
  /**
   * Resolves once the receiver has confirmed the message. Rejects with NotDelivered; also soon after `signal` is
   * aborted. Then the receiver may have got the message nevertheless.
   */
  send(message: NoticeMessage, signal: AbortSignal): Promise<void>
}

export interface NoticeMessage {
  /** The same if the message is sent again. */
  id: string
  /** JSON. */
  body: string
}

export class NotDelivered extends Error {
  /** ms. The receiver asked for this pause. */
  readonly askAgainIn: number | undefined

  /** `reason`: a sentence that holds nothing of the response but its status. */
  constructor(reason: string, askAgainIn?: number) {
    super(reason)
    this.name = 'NotDelivered'
    this.askAgainIn = askAgainIn
  }
}
