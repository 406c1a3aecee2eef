import { hydrateRoot } from 'react-dom/client'
import { FlowFeed } from './flow.jsx'

const rows = Array.from(document.querySelectorAll('[data-row]'), (element) =>
  ({ row: Number(element.dataset.row), html: element.innerHTML }))
hydrateRoot(document.getElementById('feed'), <FlowFeed rows={rows} />)
