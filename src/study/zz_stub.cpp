#include <filum/study/chart.hpp>
#include <filum/study/page.hpp>
namespace filum::study { std::string to_svg(const Chart&) { return "<svg xmlns='http://www.w3.org/2000/svg'/>"; } std::string to_html(const Page&) { return "<html></html>"; } }
