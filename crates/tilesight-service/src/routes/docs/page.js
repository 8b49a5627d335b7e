// Shows /openapi.json and sends requests to the service that it came from. Everything is put into
// the page as text, never as markup.
"use strict";

const element = (name, attributes = {}, ...children) => {
  const node = document.createElement(name);
  for (const [key, value] of Object.entries(attributes)) {
    if (key in node && key !== "list") node[key] = value; else node.setAttribute(key, value);
  }
  node.append(...children);
  return node;
};

const last = (reference) => reference.split("/").pop();

// A schema in one line: a type, a name that links to its description, or a list of either.
const brief = (schema) => {
  if (!schema) return "";
  if (schema.$ref) return element("a", { href: `#type-${last(schema.$ref)}` }, last(schema.$ref));
  const several = schema.oneOf || schema.anyOf;
  const span = element("span");
  if (several) {
    several.forEach((one, at) => span.append(at ? " or " : "", brief(one)));
  } else if (schema.type === "array") {
    span.append("list of ", brief(schema.items));
  } else {
    span.append([schema.type].flat().filter(Boolean).join(" or ") || "anything");
    if (schema.enum && schema.enum.length <= 16) span.append(`: ${schema.enum.join(", ")}`);
    if (schema.pattern) span.append(" ", element("code", {}, schema.pattern));
  }
  return span;
};

const table = (heads, rows) => element("table", {},
  element("thead", {}, element("tr", {}, ...heads.map((head) => element("th", { scope: "col" }, head)))),
  element("tbody", {}, ...rows.map((cells) => element("tr", {}, ...cells.map((cell) => element("td", {}, cell))))));

const headers = (more = {}) => {
  const key = document.getElementById("key").value.trim();
  return key ? { ...more, Authorization: `Bearer ${key}` } : more;
};

// What a person may change before a request is sent, and how the request is made of it.
const form = (path, method, operation) => {
  const inputs = (operation.parameters || []).map((parameter) => {
    const schema = parameter.schema || {};
    const input = element("input", { type: "text", placeholder: schema.type === "boolean" ? "true or false" : "" });
    return { parameter, input };
  });
  const types = Object.keys(operation.requestBody ? operation.requestBody.content : {});
  const photo = types.some((type) => type.startsWith("image/"));
  const file = photo ? element("input", { type: "file", accept: "image/jpeg,image/png,image/webp,image/heic,image/heif,image/avif" }) : null;
  const examples = types.includes("application/json") && !photo ? Object.values(operation.requestBody.content["application/json"].examples || {}) : [];
  const written = (at) => examples[at] ? JSON.stringify(examples[at].value, null, 2) : "{}";
  const text = types.includes("application/json") && !photo ? element("textarea", { value: written(0), spellcheck: false }) : null;
  const choice = examples.length > 1 ? element("select", {}, ...examples.map(({ summary }, at) => element("option", { value: at }, summary))) : null;
  if (choice) choice.addEventListener("change", () => { text.value = written(choice.value); });
  const answer = element("pre", { hidden: true, tabIndex: 0 });
  const send = async () => {
    let address = path;
    const query = new URLSearchParams();
    const told = {};
    for (const { parameter, input } of inputs) {
      if (!input.value) continue;
      if (parameter.in === "path") address = address.replace(`{${parameter.name}}`, encodeURIComponent(input.value));
      if (parameter.in === "query") query.set(parameter.name, input.value);
      if (parameter.in === "header") told[parameter.name] = input.value;
    }
    if ([...query].length) address += `?${query}`;
    const options = { method: method.toUpperCase(), headers: headers(told) };
    if (file && file.files[0]) {
      options.body = file.files[0];
      options.headers["Content-Type"] = file.files[0].type || "application/octet-stream";
    } else if (text) {
      options.body = text.value;
      options.headers["Content-Type"] = "application/json";
    }
    answer.hidden = false;
    answer.textContent = "…";
    try {
      const response = await fetch(address, options);
      const body = await response.text();
      let shown = body;
      try { shown = JSON.stringify(JSON.parse(body), null, 2); } catch { /* Metrics are no JSON. */ }
      answer.textContent = `${response.status} ${response.statusText}\n\n${shown}`;
    } catch (error) {
      answer.textContent = String(error);
    }
  };
  const box = element("div");
  if (inputs.length) {
    box.append(table(["Name", "In", "Meaning", "Value"], inputs.map(({ parameter, input }) => {
      input.setAttribute("aria-label", parameter.name);
      const meaning = element("span", {}, parameter.description || "", " ", brief(parameter.schema));
      return [element("code", {}, parameter.name), parameter.in, meaning, input];
    })));
  }
  if (file) box.append(element("p", {}, element("label", {}, "Photo ", file)));
  if (choice) box.append(element("p", {}, element("label", {}, "Example ", choice)));
  if (text) box.append(element("label", {}, "Body ", text));
  const button = element("button", { type: "button" }, "Send");
  button.addEventListener("click", send);
  box.append(element("p", {}, button), answer);
  return box;
};

const operation = (path, method, described) => {
  const head = element("summary", {}, element("span", { className: "method" }, method.toUpperCase()),
    element("span", { className: "path" }, path), " ", described.summary || "");
  const box = element("details", { id: described.operationId }, head);
  if (described.description) box.append(element("p", {}, described.description));
  const content = described.requestBody ? Object.entries(described.requestBody.content) : [];
  if (content.length) box.append(table(["Body", "Type"], content.map(([type, media]) => [type, brief(media.schema)])));
  box.append(form(path, method, described));
  const answers = Object.entries(described.responses).map(([status, response]) => {
    const media = Object.values(response.content || {})[0];
    return [status, response.description, media ? brief(media.schema) : ""];
  });
  box.append(table(["Status", "Meaning", "Type"], answers));
  return box;
};

const type = (name, schema) => {
  const box = element("details", { id: `type-${name}` }, element("summary", {}, element("code", {}, name)));
  if (schema.description) box.append(element("p", {}, schema.description));
  if (!schema.properties) {
    box.append(element("p", {}, brief(schema)));
    if (schema.enum) box.append(element("pre", {}, schema.enum.join(" ")));
    return box;
  }
  const required = schema.required || [];
  box.append(table(["Field", "Type", "Meaning"], Object.entries(schema.properties).map(([field, inner]) => {
    const code = element("code", {}, field);
    return [required.includes(field) ? element("strong", {}, code) : code, brief(inner), inner.description || ""];
  })));
  return box;
};

const reveal = () => {
  const target = location.hash && document.getElementById(location.hash.slice(1));
  if (target && "open" in target) { target.open = true; target.scrollIntoView(); }
};

const show = async () => {
  const about = document.getElementById("about");
  try {
    const response = await fetch("/openapi.json", { headers: headers() });
    if (!response.ok) throw new Error(`${response.status}: give a key above`);
    const described = await response.json();
    about.textContent = `${described.info.description} Version ${described.info.version}.`;
    const list = document.getElementById("operations");
    list.replaceChildren();
    for (const tag of described.tags) {
      list.append(element("h2", { title: tag.description || "" }, tag.name));
      for (const [path, item] of Object.entries(described.paths)) {
        for (const [method, one] of Object.entries(item)) {
          if ((one.tags || []).includes(tag.name)) list.append(operation(path, method, one));
        }
      }
    }
    const types = document.getElementById("types");
    types.replaceChildren(element("h2", {}, "Types"));
    for (const [name, schema] of Object.entries(described.components.schemas)) types.append(type(name, schema));
    reveal();
  } catch (error) {
    about.textContent = `The description can't be had: ${error.message}`;
  }
};

document.getElementById("key").addEventListener("change", show);
addEventListener("hashchange", reveal);
show();
