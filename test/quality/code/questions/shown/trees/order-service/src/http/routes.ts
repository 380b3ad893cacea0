import * as cancel from '../orders/cancel.ts'
import * as place from '../orders/place.ts'
import * as webhook from '../payments/webhook.ts'
import * as track from '../shipping/track.ts'

export const routes = [
  { method: 'POST', path: /^\/orders$/, handle: place.handle },
  { method: 'POST', path: /^\/orders\/([\w-]+)\/cancel$/, handle: cancel.handle },
  { method: 'POST', path: /^\/hooks\/payments$/, handle: webhook.handle },
  { method: 'GET', path: /^\/parcels\/([\w-]+)$/, handle: track.handle },
]
