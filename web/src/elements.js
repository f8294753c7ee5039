// The few ways in which the page makes elements. Text always goes in as text, never as HTML.
export function makerFor(document) {
  function element(name, attributes, children) {
    var result = document.createElement(name);
    Object.keys(attributes || {}).forEach(function (key) {
      if (attributes[key] !== null) result.setAttribute(key, attributes[key]);
    });
    (children || []).forEach(function (child) {
      result.appendChild(typeof child === 'string' ? document.createTextNode(child) : child);
    });
    return result;
  }

  // choices: [{value, title}]; calls changed with the chosen value.
  function choice(label, name, choices, chosen, changed) {
    var select = element('select', {'data-control': name}, choices.map(function (one) {
      return element('option', {value: one.value}, [one.title]);
    }));
    select.value = chosen;
    select.addEventListener('change', function () { changed(select.value); });
    return element('label', {'class': 'choice'}, [label + ' ', select]);
  }

  return {element: element, choice: choice, document: document};
}

export function empty(node) {
  while (node.firstChild) node.removeChild(node.firstChild);
}
